// SPDX-License-Identifier: MIT
#include "emit/cpp/metadata.hpp"

#include <llvm/BinaryFormat/MsgPackReader.h>
#include <llvm/Support/Error.h>

namespace twinir {
namespace {
using Json = nlohmann::json;
using llvm::msgpack::Object;

constexpr int max_depth = 16;

class Items {
public:
  explicit Items(llvm::StringRef bytes) : reader_(bytes) {}

  std::optional<Json> value(int depth) {
    Object item;
    if (depth > max_depth || !next(item)) return std::nullopt;
    switch (item.Kind) {
    case llvm::msgpack::Type::Nil: return Json(nullptr);
    case llvm::msgpack::Type::Boolean: return Json(item.Bool);
    case llvm::msgpack::Type::Int: return Json(item.Int);
    case llvm::msgpack::Type::UInt: return Json(item.UInt);
    case llvm::msgpack::Type::Float: return Json(item.Float);
    case llvm::msgpack::Type::String: return Json(item.Raw.str());
    case llvm::msgpack::Type::Array: return array(item.Length, depth);
    case llvm::msgpack::Type::Map: return map(item.Length, depth);
    default: return std::nullopt;
    }
  }

private:
  bool next(Object& item) {
    auto more = reader_.read(item);
    if (more) return *more;
    llvm::consumeError(more.takeError());
    return false;
  }
  std::optional<Json> array(std::size_t length, int depth) {
    Json out = Json::array();
    for (; length > 0; --length) {
      auto item = value(depth + 1);
      if (!item) return std::nullopt;
      out.push_back(std::move(*item));
    }
    return out;
  }
  std::optional<Json> map(std::size_t length, int depth) {
    Json out = Json::object();
    for (; length > 0; --length) {
      auto key = value(depth + 1);
      if (!key || !key->is_string()) return std::nullopt;
      auto item = value(depth + 1);
      if (!item) return std::nullopt;
      out[key->get_ref<const std::string&>()] = std::move(*item);
    }
    return out;
  }

  llvm::msgpack::Reader reader_;
};

} // namespace

std::optional<nlohmann::json> read_metadata(std::string_view bytes) { return Items(llvm::StringRef(bytes)).value(0); }

} // namespace twinir

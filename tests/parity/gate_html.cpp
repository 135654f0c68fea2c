// SPDX-License-Identifier: MIT
// The page of a gate: complete in itself, escaped, with both texts where they differ.
#include "gate_support.hpp"
#include "parity/html.hpp"

using namespace twinir;
using namespace twinir::test;

namespace {

std::string page(FakeGate& g) {
  g.options.keep_texts = true;
  return gate_html(g.run());
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

} // namespace

TEST_CASE("a green page has a table per flavor and nothing from elsewhere", "[gate][html]") {
  FakeGate g;
  g.options.codegen = false;
  g.record();
  const auto text = page(g);
  CHECK(has(text, "class=\"green\""));
  CHECK(has(text, "<h2>llvm19</h2>"));
  CHECK(has(text, "<h2>llvm22</h2>"));
  for (const char* foreign : {"http", "src=", "href=", "url(", "@import", "<script"}) CHECK(!has(text, foreign));
  CHECK(count(text, "<tr") == count(text, "</tr>"));
  CHECK(count(text, "<td") == count(text, "</td>"));
  CHECK(count(text, "<table") == count(text, "</table>"));
}

TEST_CASE("texts that differ stand side by side, escaped", "[gate][html][mutation]") {
  FakeGate g;
  g.record();
  g.python.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text = "a\nb\n<script>\"&'\nc\n"; };
  g.cpp.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text = "a\nb\n<4 x i32>\nmore\nc\n"; };
  const auto text = page(g);
  CHECK(has(text, "class=\"red\""));
  CHECK(has(text, "<tr><td>2</td><td>b</td><td>b</td></tr>\n<tr class=\"differs\"><td>3</td><td>&lt;4 x i32&gt;</td>"
                  "<td>&lt;script&gt;&quot;&amp;&#39;</td></tr>\n<tr class=\"differs\"><td>4</td><td>more</td><td></td></tr>\n"
                  "<tr><td>5</td><td>c</td><td>c</td></tr>"));
  CHECK(!has(text, "<script"));
}

TEST_CASE("what drifted shows both hashes", "[gate][html]") {
  FakeGate g;
  g.record();
  const auto before = g.golden.load("llvm22", "saxpy").shard->cases.begin()->second;
  g.cpp.change = g.python.change = [](Emission& e, const std::string&, const FlavorInfo&) { e.text += ";\n"; };
  CHECK(has(page(g), "recorded " + before + ", now "));
}

// SPDX-License-Identifier: MIT
// Nothing but the precompiled headers of the tests, see CMakeLists.txt.

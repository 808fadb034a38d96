#pragma once
// The groups of the isothermal verification and how a test runs one.

#include "support/expect_rows.hpp"
#include "verify/isothermal/groups.hpp"

#pragma once
// The groups of the isothermal verification and how a test runs one.

#include "run/verify/isothermal/groups.hpp"
#include "support/expect_rows.hpp"

#pragma once

/// Makes all attempts, and prints their results and those of the attempts before the start.
void attack();

/// A library opened before the start, when the loader may read it.
extern long library;

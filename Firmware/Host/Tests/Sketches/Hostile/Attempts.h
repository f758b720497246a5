#pragma once

/// Makes all attempts, and prints what came of them and of those before the start.
void attack();

/// Opened before the start: the loader may read it.
extern long library;

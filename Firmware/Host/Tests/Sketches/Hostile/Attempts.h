#pragma once

/// Makes all attempts, and prints their results and those of the attempts before the start.
void attack();

/// Opened before the start: the loader may read it.
extern long library;

#ifndef LIVE_PAGE_FILES_H
#define LIVE_PAGE_FILES_H

#include <stddef.h>

/// A file of the live page, embedded in the program.
struct live_page_file {
  /// The path below the page's address, e.g. "/app.js"; the page itself is "/".
  const char* path;
  const unsigned char* bytes;
  size_t length;
};

/// The file at a path; null if there is none.
const struct live_page_file* live_page_file(const char* path);

#endif

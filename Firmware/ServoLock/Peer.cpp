#include "Peer.h"

#include <cstdio>

const char* Peer::write(char (&text)[textSize]) const {
  snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", address[5], address[4], address[3],
           address[2], address[1], address[0]);
  return text;
}

#include "live_page_files.h"

#include <string.h>

// The compiler that comes with Swift supports #embed before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

// clang-format off
static const unsigned char air_js[] = {
#embed "Page/air.js"
};
static const unsigned char app_css[] = {
#embed "Page/app.css"
};
static const unsigned char app_js[] = {
#embed "Page/app.js"
};
static const unsigned char apps_js[] = {
#embed "Page/apps.js"
};
static const unsigned char board_js[] = {
#embed "Page/board.js"
};
static const unsigned char boards_js[] = {
#embed "Page/boards.js"
};
static const unsigned char clock_js[] = {
#embed "Page/clock.js"
};
static const unsigned char commands_js[] = {
#embed "Page/commands.js"
};
static const unsigned char console_js[] = {
#embed "Page/console.js"
};
static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};
static const unsigned char hold_js[] = {
#embed "Page/hold.js"
};
static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char pairing_js[] = {
#embed "Page/pairing.js"
};
static const unsigned char parts_css[] = {
#embed "Page/parts.css"
};
static const unsigned char parts_js[] = {
#embed "Page/parts.js"
};
static const unsigned char phone_css[] = {
#embed "Page/phone.css"
};
static const unsigned char phone_js[] = {
#embed "Page/phone.js"
};
static const unsigned char quantities_js[] = {
#embed "Page/quantities.js"
};
static const unsigned char readings_js[] = {
#embed "Page/readings.js"
};
static const unsigned char services_js[] = {
#embed "Page/services.js"
};
static const unsigned char servo_js[] = {
#embed "Page/servo.js"
};
static const unsigned char symbols_js[] = {
#embed "Page/symbols.js"
};
static const unsigned char timeline_bar_js[] = {
#embed "Page/timeline-bar.js"
};
static const unsigned char timeline_copy_js[] = {
#embed "Page/timeline-copy.js"
};
static const unsigned char timeline_data_js[] = {
#embed "Page/timeline-data.js"
};
static const unsigned char timeline_details_js[] = {
#embed "Page/timeline-details.js"
};
static const unsigned char timeline_dom_js[] = {
#embed "Page/timeline-dom.js"
};
static const unsigned char timeline_find_js[] = {
#embed "Page/timeline-find.js"
};
static const unsigned char timeline_page_js[] = {
#embed "Page/timeline-page.js"
};
static const unsigned char timeline_text_js[] = {
#embed "Page/timeline-text.js"
};
static const unsigned char timeline_view_js[] = {
#embed "Page/timeline-view.js"
};
static const unsigned char timeline_css[] = {
#embed "Page/timeline.css"
};
static const unsigned char timeline_html[] = {
#embed "Page/timeline.html"
};
static const unsigned char timeline_js[] = {
#embed "Page/timeline.js"
};

#define ENTRY(path, bytes) {path, bytes, sizeof bytes}

static const struct live_page_file files[] = {
  ENTRY("/air.js", air_js),
  ENTRY("/app.css", app_css),
  ENTRY("/app.js", app_js),
  ENTRY("/apps.js", apps_js),
  ENTRY("/board.js", board_js),
  ENTRY("/boards.js", boards_js),
  ENTRY("/clock.js", clock_js),
  ENTRY("/commands.js", commands_js),
  ENTRY("/console.js", console_js),
  ENTRY("/dom.js", dom_js),
  ENTRY("/hold.js", hold_js),
  ENTRY("/", index_html),
  ENTRY("/pairing.js", pairing_js),
  ENTRY("/parts.css", parts_css),
  ENTRY("/parts.js", parts_js),
  ENTRY("/phone.css", phone_css),
  ENTRY("/phone.js", phone_js),
  ENTRY("/quantities.js", quantities_js),
  ENTRY("/readings.js", readings_js),
  ENTRY("/services.js", services_js),
  ENTRY("/servo.js", servo_js),
  ENTRY("/symbols.js", symbols_js),
  ENTRY("/timeline-bar.js", timeline_bar_js),
  ENTRY("/timeline-copy.js", timeline_copy_js),
  ENTRY("/timeline-data.js", timeline_data_js),
  ENTRY("/timeline-details.js", timeline_details_js),
  ENTRY("/timeline-dom.js", timeline_dom_js),
  ENTRY("/timeline-find.js", timeline_find_js),
  ENTRY("/timeline-page.js", timeline_page_js),
  ENTRY("/timeline-text.js", timeline_text_js),
  ENTRY("/timeline-view.js", timeline_view_js),
  ENTRY("/timeline.css", timeline_css),
  ENTRY("/timeline.html", timeline_html),
  ENTRY("/timeline.js", timeline_js),
};
// clang-format on

const struct live_page_file* live_page_file(const char* path) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].path, path) == 0) return &files[i];
  }
  return NULL;
}

// The page with nothing but a timeline: the viewer of stored ones.

import "./timeline.js";

document.querySelector("bench-timeline").listen(new EventSource("events"));

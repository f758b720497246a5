new EventSource("events");

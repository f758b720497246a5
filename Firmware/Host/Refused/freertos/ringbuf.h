#error "freertos/ringbuf.h is not in espbench's host core: use queue.h, stream_buffer.h or message_buffer.h"

// The layout of the firmware channel.

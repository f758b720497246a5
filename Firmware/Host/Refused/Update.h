#error "Update.h is not in espbench's host core: there is one application; espbench flash writes it"

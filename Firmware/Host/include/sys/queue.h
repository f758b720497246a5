// The linked lists of newlib's sys/queue.h (BSD's): those of the machine's C library, and the
// missing macros.
#pragma once

#include <stddef.h>
#include_next <sys/queue.h>

// "Safe": the element of the current turn may be removed; `next` keeps its successor.
#ifndef SLIST_FOREACH_SAFE
#define SLIST_FOREACH_SAFE(var, head, field, next) \
  for ((var) = SLIST_FIRST(head); (var) && ((next) = SLIST_NEXT(var, field), 1); (var) = (next))
#endif
#ifndef STAILQ_FOREACH_SAFE
#define STAILQ_FOREACH_SAFE(var, head, field, next) \
  for ((var) = STAILQ_FIRST(head); (var) && ((next) = STAILQ_NEXT(var, field), 1); (var) = (next))
#endif
#ifndef LIST_FOREACH_SAFE
#define LIST_FOREACH_SAFE(var, head, field, next) \
  for ((var) = LIST_FIRST(head); (var) && ((next) = LIST_NEXT(var, field), 1); (var) = (next))
#endif
#ifndef TAILQ_FOREACH_SAFE
#define TAILQ_FOREACH_SAFE(var, head, field, next) \
  for ((var) = TAILQ_FIRST(head); (var) && ((next) = TAILQ_NEXT(var, field), 1); (var) = (next))
#endif

#ifndef SLIST_REMOVE_AFTER
#define SLIST_REMOVE_AFTER(element, field)                                      \
  do {                                                                          \
    SLIST_NEXT(element, field) = SLIST_NEXT(SLIST_NEXT(element, field), field); \
  } while (0)
#endif

/// The last element; NULL if the list is empty. The list's end is the address of its last "next".
#ifndef STAILQ_LAST
#define STAILQ_LAST(head, type, field) \
  (STAILQ_EMPTY(head)                  \
       ? NULL                          \
       : ((struct type*)(void*)((char*)((head)->stqh_last) - offsetof(struct type, field))))
#endif
#ifndef STAILQ_REMOVE_AFTER
#define STAILQ_REMOVE_AFTER(head, element, field)                                                  \
  do {                                                                                             \
    if ((STAILQ_NEXT(element, field) = STAILQ_NEXT(STAILQ_NEXT(element, field), field)) == NULL) { \
      (head)->stqh_last = &STAILQ_NEXT(element, field);                                            \
    }                                                                                              \
  } while (0)
#endif

/* A bot for the line protocol in C, without libraries: cc -O2 -o bot bot.c
 *
 * It reads the few keys that it needs with strstr instead of a JSON parser. This is safe because messages to a
 * bot have no spaces between tokens, and because a bot whose "fields" are empty receives no free text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_LINE (1 << 20)
#define LARGEST_LEGAL 1024

static char line[LARGEST_LINE];

/* Whether the message has this type. */
static int is(const char *type)
{
    char key[64];
    snprintf(key, sizeof key, "\"type\":\"%s\"", type);
    return strstr(line, key) != NULL;
}

/* The number after a key such as "\"id\":"; a quote before the digits is skipped. */
static unsigned long long number_of(const char *key)
{
    const char *found = strstr(line, key);
    if (found == NULL)
        return 0;
    found += strlen(key);
    return strtoull(found + (*found == '"'), NULL, 10);
}

/* Choose a legal action of the first kind in `wanted` that is possible; the kind "" includes every action. */
static long choose(void)
{
    static const char *const wanted[] = {"ACCEPT", "PLAY_PREP", "PLAY_HAND", "PLAY_OTHER", "LAUNCH", ""};
    unsigned long long seed = number_of("\"seed\":");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        long good[LARGEST_LEGAL];
        size_t count = 0;
        const char *at = strstr(line, "\"legal\":");
        while (at != NULL && (at = strstr(at, "{\"action\":")) != NULL && count < LARGEST_LEGAL) {
            long action = strtol(at + strlen("{\"action\":"), NULL, 10);
            const char *name = strstr(at, "\"name\":\"");
            if (name == NULL)
                break;
            at = name + strlen("\"name\":\"");
            if (strncmp(at, wanted[i], strlen(wanted[i])) == 0)
                good[count++] = action;
        }
        if (count > 0)
            return good[seed % count];
    }
    return -1;
}

int main(void)
{
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (is("hello"))
            printf("{\"type\":\"ready\",\"protocol\":1,\"name\":\"example.c\",\"fields\":[]}\n");
        else if (is("decision"))
            printf("{\"type\":\"action\",\"id\":%llu,\"action\":%ld}\n", number_of("\"id\":"), choose());
        else if (is("quit"))
            return 0;
        fflush(stdout);
    }
    return 0;
}

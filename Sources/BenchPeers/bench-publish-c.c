// The plain alternative beside the agent: a C program over libmosquitto that publishes messages read from a file, one
// line each, as fast as the broker takes them.
//
//   bench-publish-c PORT WINDOW FILE
//
// A line is "RETAIN QOS EXPIRY TOPIC PAYLOAD": 0 or 1, 0 or 1, seconds or nothing, a topic without spaces, the rest.
// MQTT 5, clean start, the broker on the loopback interface, one thread with the library's own loop. WINDOW is how many
// messages may be unacknowledged. Prints how many were acknowledged (QoS 0: written); exits 1 when not all were.

#define _GNU_SOURCE
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long completed = 0;
static bool connected = false;
static bool lost = false;

static void on_connect(struct mosquitto *client, void *context, int reason) {
  (void)client;
  (void)context;
  if (reason == 0) connected = true;
  else lost = true;
}

static void on_disconnect(struct mosquitto *client, void *context, int reason) {
  (void)client;
  (void)context;
  (void)reason;
  lost = true;
}

static void on_publish(struct mosquitto *client, void *context, int message) {
  (void)client;
  (void)context;
  (void)message;
  completed++;
}

static void fail(const char *what) {
  fprintf(stderr, "bench-publish-c: %s\n", what);
  exit(1);
}

// Serves the connection, waiting for the broker at most a second.
static void serve(struct mosquitto *client) {
  if (mosquitto_loop(client, 1000, 1) != MOSQ_ERR_SUCCESS || lost) fail("the connection is lost");
}

// Writes out what the library holds, so that at QoS 0 it holds at most a message.
static void flush_writes(struct mosquitto *client) {
  while (mosquitto_want_write(client)) {
    struct pollfd writable = {mosquitto_socket(client), POLLOUT, 0};
    poll(&writable, 1, 1000);
    if (mosquitto_loop_write(client, 1) != MOSQ_ERR_SUCCESS) fail("the connection is lost");
  }
}

struct message {
  bool retain;
  int qos;
  uint32_t expiry;
  char *topic;
  char *payload;
  int length;
};

// Takes a line apart in place.
static struct message parse(char *line, ssize_t length) {
  struct message message;
  char *rest = line;
  message.retain = strtol(rest, &rest, 10) == 1;
  message.qos = (int)strtol(rest, &rest, 10);
  // Without a number strtoul leaves `rest` where it is: at the space before the topic.
  if (*rest == ' ') rest++;
  message.expiry = *rest == ' ' ? 0 : (uint32_t)strtoul(rest, &rest, 10);
  message.topic = rest + 1;
  char *space = strchr(message.topic, ' ');
  if (space == NULL) fail("a line of the file is not RETAIN QOS EXPIRY TOPIC PAYLOAD");
  *space = '\0';
  message.payload = space + 1;
  message.length = (int)(line + length - message.payload);
  return message;
}

int main(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "Usage: bench-publish-c PORT WINDOW FILE\n");
    return 64;
  }
  const int port = atoi(arguments[1]);
  const long window = atol(arguments[2]);
  FILE *file = fopen(arguments[3], "r");
  if (file == NULL) fail("cannot read the file");

  mosquitto_lib_init();
  struct mosquitto *client = mosquitto_new(NULL, true, NULL);
  if (client == NULL) fail("out of memory");
  mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
  mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
  mosquitto_max_inflight_messages_set(client, (unsigned int)window);
  mosquitto_connect_callback_set(client, on_connect);
  mosquitto_disconnect_callback_set(client, on_disconnect);
  mosquitto_publish_callback_set(client, on_publish);
  if (mosquitto_connect(client, "127.0.0.1", port, 60) != MOSQ_ERR_SUCCESS) fail("cannot connect");
  while (!connected) serve(client);

  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  long published = 0;
  mosquitto_property *properties = NULL;
  uint32_t expiry = 0;
  while ((length = getline(&line, &capacity, file)) > 0) {
    if (line[length - 1] == '\n') line[--length] = '\0';
    const struct message message = parse(line, length);
    if (message.expiry != expiry) {
      mosquitto_property_free_all(&properties);
      expiry = message.expiry;
      if (expiry > 0) mosquitto_property_add_int32(&properties, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, expiry);
    }
    // Beyond the window the library would only queue.
    while (message.qos > 0 && published - completed >= window) serve(client);
    if (mosquitto_publish_v5(client, NULL, message.topic, message.length, message.payload, message.qos,
                             message.retain, properties) != MOSQ_ERR_SUCCESS) {
      fail("a message is refused");
    }
    published++;
    if (message.qos == 0) flush_writes(client);
  }
  while (completed < published) serve(client);
  mosquitto_disconnect(client);
  mosquitto_property_free_all(&properties);
  mosquitto_destroy(client);
  mosquitto_lib_cleanup();
  free(line);
  fclose(file);
  printf("%ld\n", completed);
  return completed == published ? 0 : 1;
}

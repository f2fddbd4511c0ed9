package dev.deputy.phone;

import java.io.IOException;
import java.security.GeneralSecurityException;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The pages' own connection to the host. It forwards messages, and adds the proof to the hello and a signature to
 * each answer.
 */
final class PageLine {
    final int number;
    private final Phone phone;
    private final Bridge.Page page;
    private final Waiting waiting = new Waiting();
    private HostLine line;
    private Paired paired;
    private boolean isOver;

    PageLine(Phone phone, Bridge.Page page, int number) {
        this.phone = phone;
        this.page = page;
        this.number = number;
    }

    void start() {
        Thread reading = new Thread("page line") {
            @Override
            public void run() {
                try {
                    read();
                } catch (IOException | GeneralSecurityException | JSONException error) {
                    // The pages are notified below, and reconnect on their own.
                }
                close();
                page.hear("{\"say\":\"closed\",\"line\":" + number + "}");
            }
        };
        reading.setDaemon(true);
        reading.start();
    }

    private void read() throws IOException, GeneralSecurityException, JSONException {
        Kept kept = phone.kept();
        if (kept == null) return;
        Paired own = kept.paired(phone.keys().signing);
        HostLine fresh = HostLine.connect(own);
        synchronized (this) {
            paired = own;
            line = fresh;
            if (isOver) fresh.close();
        }
        page.hear("{\"say\":\"opened\",\"line\":" + number + "}");
        while (true) {
            String text = fresh.next();
            JSONObject message = new JSONObject(text);
            synchronized (this) {
                waiting.take(message);
                // The answer to a query for open requests is as good as an event.
                if (message.getString("type").equals("query_reply")) takeState(message.getJSONObject("answer"));
            }
            page.hear("{\"say\":\"message\",\"line\":" + number + ",\"message\":" + text + "}");
        }
    }

    private void takeState(JSONObject answer) throws JSONException {
        if (!answer.getString("answer").equals("state")) return;
        waiting.take(new JSONObject().put("type", "snapshot").put("snapshot", answer.getJSONObject("snapshot")));
    }

    /** Sends a message from the pages. If that fails, the connection is closed, and the pages are notified. */
    void send(JSONObject message) throws JSONException {
        HostLine open;
        JSONObject request = null;
        JSONObject answer = null;
        synchronized (this) {
            if (line == null || isOver) return;
            open = line;
            answer = answerIn(message);
            if (answer != null) request = waiting.requests().get(answer.getString("request"));
        }
        try {
            if (message.getString("type").equals("hello")) {
                open.hello(message);
            } else if (answer == null) {
                open.send(message);
            } else if (isAllow(answer) && Answer.needsUnlocking(request)) {
                unlockFirst(open, message);
            } else {
                sendSigned(open, message);
            }
        } catch (IOException | GeneralSecurityException error) {
            close();
        }
    }

    private void unlockFirst(final HostLine open, final JSONObject message) {
        phone.unlock(new Phone.Then() {
            @Override
            public void unlocked(Phone.Unlocked how) {
                try {
                    if (how == Phone.Unlocked.YES) sendSigned(open, message);
                    else refuse(message, how == Phone.Unlocked.NO ? Phone.Words.NOT_UNLOCKED : Phone.Words.NO_SCREEN_LOCK);
                } catch (IOException | GeneralSecurityException | JSONException error) {
                    close();
                }
            }
        });
    }

    private void sendSigned(HostLine open, JSONObject message) throws IOException, GeneralSecurityException, JSONException {
        Answer.sign(answerIn(message), paired, open.hostNowMs());
        open.send(message);
    }

    /** Tells the pages that their answer was not sent, in the form of a host's error. */
    private void refuse(JSONObject message, Phone.Words why) throws JSONException {
        JSONObject error = new JSONObject().put("type", "error").put("error", error("page", phone.words(why)));
        error.put("id", message.getJSONObject("envelope").getString("id"));
        page.hear("{\"say\":\"message\",\"line\":" + number + ",\"message\":" + error + "}");
    }

    static JSONObject error(String code, String words) throws JSONException {
        return new JSONObject().put("code", code).put("message", words).put("hints", new JSONArray());
    }

    private static JSONObject answerIn(JSONObject message) throws JSONException {
        if (!message.getString("type").equals("command")) return null;
        JSONObject command = message.getJSONObject("envelope").getJSONObject("command");
        return command.getString("command").equals("answer_permission") ? command.getJSONObject("answer") : null;
    }

    private static boolean isAllow(JSONObject answer) throws JSONException {
        return !answer.getJSONObject("choice").getString("choice").equals("deny");
    }

    synchronized void close() {
        isOver = true;
        if (line == null) return;
        try {
            line.close();
        } catch (IOException ignored) {
            // The connection is closed either way.
        }
    }
}

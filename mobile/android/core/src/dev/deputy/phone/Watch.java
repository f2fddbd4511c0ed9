package dev.deputy.phone;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Holds the connection while no page is open: reports open requests, sends answers from notifications, and
 * reconnects. An answer is sent once, on an open connection. If the connection breaks, the outcome is read
 * from the host.
 */
public final class Watch {
    private static final long FIRST_PAUSE_MS = 250;
    private static final long LONGEST_PAUSE_MS = 60_000;

    /** The events of a watch. Called from the watch's own threads. */
    public interface Shows {
        /** Reports the open requests and questions. If `isConnected` is false, they are the last known ones. */
        void waiting(Map<String, JSONObject> requests, Map<String, JSONObject> questions, boolean isConnected);

        /**
         * Reports that a request was answered with `allow` or `deny`, on this phone or elsewhere. It is no longer
         * open.
         */
        void answered(String request, String choice);

        /**
         * Reports that an answer from this phone may not have arrived and the request is still open. The user has to
         * answer again.
         */
        void undelivered(String request);

        /** Reports that the host refused an answer, and why. */
        void refused(String request, String code, String message);

        /** Reports that the host no longer accepts this phone. The watch has ended. */
        void dismissed(String code, String message);
    }

    private final Paired paired;
    private final Shows shows;
    private final SecureRandom random = new SecureRandom();
    private final Waiting waiting = new Waiting();
    /** Answers in flight: the request's id by the command's id. */
    private final Map<String, String> given = new LinkedHashMap<String, String>();
    private HostLine line;
    private boolean isOver;
    private boolean isPoked;
    private long pauseMs = FIRST_PAUSE_MS;
    /** The newest event at the time of connecting. Once it is folded, the open requests are known. */
    private long knownFrom;
    private boolean isKnown;

    public Watch(Paired paired, Shows shows) {
        this.paired = paired;
        this.shows = shows;
    }

    /** Runs until `close` is called or the host no longer accepts this phone. */
    public void run() {
        while (!isOver()) {
            try {
                follow();
            } catch (HostRefused refused) {
                end();
                if (isFinal(refused.code)) {
                    close();
                    shows.dismissed(refused.code, refused.getMessage());
                    return;
                }
            } catch (IOException | GeneralSecurityException | JSONException error) {
                end();
            }
            rest();
        }
    }

    /** Ends the watch. Nothing is reported afterwards. */
    public synchronized void close() {
        isOver = true;
        cut();
        notifyAll();
    }

    /** Connects at once, because the network is back or a relay has a notice. */
    public synchronized void poke() {
        isPoked = true;
        pauseMs = FIRST_PAUSE_MS;
        notifyAll();
    }

    /** Answers what was shown under this digest. The answer is sent now or not at all; `Shows` gets the outcome. */
    public void answer(String request, String digest, JSONObject choice) {
        if (!send(request, digest, choice)) shows.undelivered(request);
    }

    /** Returns the open request with this id, or null. */
    public synchronized JSONObject request(String id) {
        return waiting.requests().get(id);
    }

    private synchronized boolean send(String id, String digest, JSONObject choice) {
        JSONObject request = waiting.requests().get(id);
        // If the request was answered meanwhile, that has been reported.
        if (request == null) return true;
        if (line == null || !isKnown || !request.optString("digest").equals(digest)) return false;
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        String name = "w" + DeviceKey.encode(bytes);
        try {
            JSONObject command = Answer.command(request, choice, paired, line.hostNowMs());
            given.put(name, id);
            line.command(name, command);
        } catch (IOException | GeneralSecurityException | JSONException error) {
            // It may still have been sent. The reader notices that the connection is closed, and reads the outcome.
            if (!given.containsKey(name)) return false;
            cut();
        }
        return true;
    }

    private void follow() throws IOException, GeneralSecurityException, JSONException {
        long resumeFrom;
        synchronized (this) {
            resumeFrom = waiting.seq();
        }
        HostLine fresh = HostLine.follow(paired, resumeFrom);
        synchronized (this) {
            line = fresh;
            if (isOver) cut();
        }
        while (true) take(new JSONObject(fresh.next()));
    }

    private void take(JSONObject message) throws JSONException, HostRefused {
        String type = message.getString("type");
        if (type.equals("error")) {
            refuse(message);
            return;
        }
        boolean isChanged;
        boolean isNews = false;
        synchronized (this) {
            if (type.equals("welcome")) {
                pauseMs = FIRST_PAUSE_MS;
                knownFrom = message.getLong("seq");
            }
            if (type.equals("command_reply")) given.remove(message.getString("id"));
            isChanged = waiting.take(message) && isKnown;
            if (!isKnown && line != null && knownFrom >= 0 && waiting.seq() >= knownFrom) {
                isKnown = true;
                isNews = true;
            }
        }
        if (type.equals("event")) tellAnswer(message.getJSONObject("record").getJSONObject("event"));
        if (isChanged || isNews) tell(true);
        if (isNews) settle();
    }

    private void refuse(JSONObject message) throws JSONException, HostRefused {
        JSONObject error = message.getJSONObject("error");
        String code = error.getString("code");
        if (message.isNull("id")) throw new HostRefused(code, Phrase.in(error, "message"));
        String request;
        synchronized (this) {
            request = given.remove(message.getString("id"));
        }
        if (request != null) shows.refused(request, code, Phrase.in(error, "message"));
    }

    private void tellAnswer(JSONObject event) throws JSONException {
        if (!event.getString("type").equals("permission_answered")) return;
        String request = event.getString("request");
        synchronized (this) {
            for (Map.Entry<String, String> one : new LinkedHashMap<String, String>(given).entrySet()) {
                if (one.getValue().equals(request)) given.remove(one.getKey());
            }
        }
        shows.answered(request, event.getJSONObject("choice").getString("choice"));
    }

    /** After a broken connection, reports answers to requests that are still open as undelivered. */
    private void settle() {
        Map<String, JSONObject> open;
        Set<String> unsure;
        synchronized (this) {
            open = waiting.requests();
            unsure = new LinkedHashSet<String>(given.values());
            given.clear();
        }
        for (String request : unsure) {
            if (open.containsKey(request)) shows.undelivered(request);
        }
    }

    private void end() {
        synchronized (this) {
            cut();
        }
        tell(false);
    }

    private void tell(boolean isConnected) {
        Map<String, JSONObject> requests;
        Map<String, JSONObject> questions;
        synchronized (this) {
            if (isOver) return;
            requests = waiting.requests();
            questions = waiting.questions();
        }
        shows.waiting(requests, questions, isConnected);
    }

    /** Closes the connection, which its reader notices. The caller must hold the lock. */
    private void cut() {
        isKnown = false;
        knownFrom = -1;
        HostLine old = line;
        line = null;
        if (old == null) return;
        try {
            old.close();
        } catch (IOException ignored) {
            // The connection is closed either way.
        }
    }

    /** Waits before reconnecting, longer each time. `poke` ends the wait. */
    private synchronized void rest() {
        long until = System.nanoTime() + (pauseMs * 3 / 4 + random.nextInt((int) (pauseMs / 2))) * 1_000_000;
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        try {
            long left = until - System.nanoTime();
            while (!isOver && !isPoked && left > 0) {
                wait(left / 1_000_000 + 1);
                left = until - System.nanoTime();
            }
        } catch (InterruptedException interrupted) {
            isOver = true;
        }
        isPoked = false;
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    /** Returns whether retrying would be useless. */
    private static boolean isFinal(String code) {
        return code.equals("unknown_device") || code.equals("revoked") || code.equals("bad_signature")
                || code.equals("no_proof") || code.equals("protocol");
    }
}

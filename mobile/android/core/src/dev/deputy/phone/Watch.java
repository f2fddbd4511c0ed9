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
 * Holds the connection while no page is open: tells what waits, gives answers from notifications, and comes back by itself.
 * An answer is sent once, into a connection that is open. What became of one that was cut off is read from the host.
 */
public final class Watch {
    private static final long FIRST_PAUSE_MS = 250;
    private static final long LONGEST_PAUSE_MS = 60_000;

    /** What comes of watching; called from the watch's own threads. */
    public interface Shows {
        /** What waits now. `isConnected` says whether that is how it is, or how it was. */
        void waiting(Map<String, JSONObject> requests, Map<String, JSONObject> questions, boolean isConnected);

        /** A request was answered: `allow` or `deny`, by this phone or elsewhere; it waits no more. */
        void answered(String request, String choice);

        /** An answer of this phone's is not known to have arrived, and the request still waits: it has to be given again. */
        void undelivered(String request);

        /** The host did not take an answer, and says why. */
        void refused(String request, String code, String message);

        /** The host does not let this phone in any more; watching has ended. */
        void dismissed(String code, String message);
    }

    private final Paired paired;
    private final Shows shows;
    private final SecureRandom random = new SecureRandom();
    private final Waiting waiting = new Waiting();
    /** Answers that are on their way: the request's id by that of the command. */
    private final Map<String, String> given = new LinkedHashMap<String, String>();
    private HostLine line;
    private boolean isOver;
    private boolean isPoked;
    private long pauseMs = FIRST_PAUSE_MS;
    /** The newest event when the connection was made: once it is in, what waits is known. */
    private long knownFrom;
    private boolean isKnown;

    public Watch(Paired paired, Shows shows) {
        this.paired = paired;
        this.shows = shows;
    }

    /** Watches until it is closed, or the host lets this phone in no more. */
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

    /** Ends it; nothing is reported from then on. */
    public synchronized void close() {
        isOver = true;
        cut();
        notifyAll();
    }

    /** Tries at once: there is a network again, or a relay said that something waits. */
    public synchronized void poke() {
        isPoked = true;
        pauseMs = FIRST_PAUSE_MS;
        notifyAll();
    }

    /** Gives an answer to what was shown under this digest. It is sent now or not at all: `Shows` gets the outcome. */
    public void answer(String request, String digest, JSONObject choice) {
        if (!send(request, digest, choice)) shows.undelivered(request);
    }

    /** The open request of this id, or nothing. */
    public synchronized JSONObject request(String id) {
        return waiting.requests().get(id);
    }

    private synchronized boolean send(String id, String digest, JSONObject choice) {
        JSONObject request = waiting.requests().get(id);
        // One that was answered meanwhile was reported as answered.
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
            // It may have left all the same. The reader notices that the connection is gone, and reads what is true.
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

    /** After a cut: answers to what is still open have to be given again. */
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

    /** Drops the connection; its reader notices. Only with the lock held. */
    private void cut() {
        isKnown = false;
        knownFrom = -1;
        HostLine old = line;
        line = null;
        if (old == null) return;
        try {
            old.close();
        } catch (IOException ignored) {
            // It is gone either way.
        }
    }

    /** Waits before the next try, longer each time; a poke ends it. */
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

    /** Whether trying again would change nothing. */
    private static boolean isFinal(String code) {
        return code.equals("unknown_device") || code.equals("revoked") || code.equals("bad_signature")
                || code.equals("no_proof") || code.equals("protocol");
    }
}

package dev.deputy.phone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * A phone without a screen, for tests. Each line of standard input is a command, and each line of output is
 * its result. Once a watch or pages are open, reports are printed in between.
 */
public final class Drive {
    private final Waiting waiting = new Waiting();
    private final Pocket phone = new Pocket();
    private final Bridge bridge = new Bridge(phone, new Bridge.Page() {
        @Override
        public void hear(String message) {
            say(message);
        }
    });
    private Pairing pairing;
    private HostLine line;
    private Watch watch;
    private int commands;

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        Drive drive = new Drive();
        for (String said = in.readLine(); said != null; said = in.readLine()) {
            String[] words = said.split(" ", 2);
            JSONObject done;
            try {
                done = drive.obey(words[0], words.length > 1 ? words[1] : "");
            } catch (HostRefused refused) {
                done = new JSONObject().put("refused", refused.code);
            } catch (IOException | IllegalArgumentException error) {
                done = new JSONObject().put("failed", String.valueOf(error.getMessage()));
            }
            if (done != null) say(done.toString());
        }
        System.exit(0);
    }

    private static synchronized void say(String text) {
        byte[] line = (text + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }

    private JSONObject obey(String verb, String rest) throws Exception {
        JSONObject done = new JSONObject().put("done", verb);
        if (verb.equals("claim")) {
            Phone.Keys keys = phone.makeKeys();
            pairing = new Pairing(rest, keys.signing, keys.sealing);
            pairing.claim("Java");
            return done.put("number", pairing.number());
        }
        if (verb.equals("finish")) {
            JSONObject stage = pairing.finish();
            boolean isPaired = stage.getString("stage").equals("paired");
            if (isPaired) phone.keep(pairing.kept(stage));
            return done.put("device", isPaired ? phone.kept().device() : JSONObject.NULL);
        }
        if (verb.equals("addresses")) {
            phone.keep(phone.kept().with(new JSONObject().put("addresses", new JSONArray(rest.split(",")))));
            return done;
        }
        if (verb.equals("connect")) {
            line = HostLine.follow(paired(), waiting.seq());
            JSONObject welcome = new JSONObject(line.next());
            if (welcome.getString("type").equals("error")) {
                throw new HostRefused(welcome.getJSONObject("error").getString("code"), "");
            }
            while (!line.isReachSaid()) waiting.take(new JSONObject(line.next()));
            return done.put("scopes", welcome.getJSONArray("scopes"));
        }
        if (verb.equals("cut")) {
            line.close();
            return done;
        }
        if (verb.equals("wait")) {
            int count = Integer.parseInt(rest);
            while (waiting.requests().size() != count) waiting.take(new JSONObject(line.next()));
            return done.put("open", waiting.requests().keySet().toString());
        }
        if (verb.equals("take")) {
            waiting.take(new JSONObject(rest));
            done.put("open", waiting.requests().keySet().toString());
            return done.put("questions", waiting.questions().keySet().toString());
        }
        if (verb.equals("words")) return done.put("words", Answer.words(new JSONObject(rest)));
        if (verb.equals("allow") || verb.equals("deny")) {
            JSONObject request = waiting.requests().values().iterator().next();
            JSONObject choice = verb.equals("allow") ? Answer.allowOnce() : Answer.deny(rest);
            String id = "j" + commands++;
            line.command(id, Answer.command(request, choice, paired(), line.hostNowMs()));
            return done.put("unlock", Answer.needsUnlocking(request)).put("reply", reply(id));
        }
        if (verb.equals("card")) {
            Card card = new Card(new JSONObject(rest));
            return done.put("title", card.title).put("text", card.text).put("allow", card.mayAllow);
        }
        if (verb.equals("ask_relay")) {
            Map<String, JSONObject> open = Relay.ask(rest, phone.kept().device(), phone.keys().sealing, 12);
            return done.put("open", open.keySet().toString());
        }
        if (verb.equals("pushed")) {
            phone.keep(phone.kept().with(new JSONObject().put("push", !rest.isEmpty())).at(rest));
            return done.put("token", phone.kept().token()).put("endpoint", phone.kept().endpoint());
        }
        if (verb.equals("push")) {
            String[] words = rest.split(" ", 2);
            JSONObject notice = Push.open(words[1].getBytes("UTF-8"), phone.keys().sealing);
            done.put("ours", Push.isOurs(phone.kept(), words[0]));
            return done.put("notice", notice == null ? JSONObject.NULL : notice);
        }
        if (verb.equals("picture")) {
            String[] parts = rest.split(" ");
            byte[] pixels = Files.readAllBytes(Paths.get(parts[2]));
            String text = QrCode.read(pixels, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
            return done.put("text", text == null ? JSONObject.NULL : text);
        }
        return rest.isEmpty() ? null : asOne(verb, rest, done);
    }

    /** Commands whose result is a later report. */
    private JSONObject asOne(String verb, String rest, JSONObject done) throws JSONException {
        if (verb.equals("page")) {
            bridge.tell(rest);
            return null;
        }
        if (verb.equals("owner")) {
            phone.owner = Phone.Unlocked.valueOf(rest);
            return done.put("unlocks", phone.unlocks);
        }
        if (verb.equals("pushapp")) {
            phone.canBePushed = rest.equals("installed");
            return done;
        }
        if (verb.equals("code")) {
            phone.code = rest;
            return done;
        }
        if (verb.equals("show")) {
            String[] words = rest.split(" ", 2);
            bridge.show(words[0], words[1]);
            return null;
        }
        if (verb.equals("watch")) {
            watch = new Watch(paired(), new Told());
            new Thread("watch") {
                @Override
                public void run() {
                    watch.run();
                }
            }.start();
            return null;
        }
        if (verb.equals("poke")) {
            watch.poke();
            return null;
        }
        if (verb.equals("answer")) {
            String[] words = rest.split(" ");
            JSONObject request = watch.request(words[0]);
            String digest = request == null ? "" : request.getString("digest");
            watch.answer(words[0], digest, words[1].equals("allow") ? Answer.allowOnce() : Answer.deny("from a notification"));
            return null;
        }
        throw new IllegalArgumentException(verb);
    }

    private Paired paired() {
        return phone.kept().paired(phone.keys().signing);
    }

    /** Reads until the command is answered. Throws an exception if the connection breaks. */
    private String reply(String id) throws Exception {
        while (true) {
            JSONObject message = new JSONObject(line.next());
            String type = message.getString("type");
            if (type.equals("error")) throw new HostRefused(message.getJSONObject("error").getString("code"), "");
            if (type.equals("command_reply") && message.getString("id").equals(id)) return type;
            waiting.take(message);
        }
    }

    /** Prints the watch's reports. */
    private static final class Told implements Watch.Shows {
        @Override
        public void waiting(Map<String, JSONObject> requests, Map<String, JSONObject> questions, boolean isConnected) {
            tell("waiting", "requests", new JSONArray(requests.keySet()), "connected", isConnected);
        }

        @Override
        public void answered(String request, String choice) {
            tell("answered", "request", request, "choice", choice);
        }

        @Override
        public void undelivered(String request) {
            tell("undelivered", "request", request, "choice", "");
        }

        @Override
        public void refused(String request, String code, String message) {
            tell("refused", "request", request, "code", code);
        }

        @Override
        public void dismissed(String code, String message) {
            tell("dismissed", "code", code, "message", message);
        }

        private static void tell(String what, String name, Object value, String other, Object otherValue) {
            try {
                JSONObject told = new JSONObject().put("told", what).put(name, value).put(other, otherValue);
                say(told.put("at_ns", System.nanoTime()).toString());
            } catch (JSONException error) {
                throw new IllegalStateException(error);
            }
        }
    }
}

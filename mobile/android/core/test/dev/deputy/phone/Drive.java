package dev.deputy.phone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.json.JSONObject;

/** A phone without a screen, for tests: each line of standard input is a word of the person's, each line of output what came of it. */
public final class Drive {
    private final Waiting waiting = new Waiting();
    private DeviceKey key;
    private Pairing pairing;
    private Paired paired;
    private HostLine line;
    private int commands;

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        Drive drive = new Drive();
        for (String said = in.readLine(); said != null; said = in.readLine()) {
            String[] words = said.split(" ", 2);
            JSONObject answer;
            try {
                answer = drive.obey(words[0], words.length > 1 ? words[1] : "");
            } catch (HostRefused refused) {
                answer = new JSONObject().put("refused", refused.code);
            } catch (IOException error) {
                answer = new JSONObject().put("failed", String.valueOf(error.getMessage()));
            }
            System.out.println(answer);
            System.out.flush();
        }
    }

    private JSONObject obey(String verb, String rest) throws Exception {
        JSONObject done = new JSONObject().put("done", verb);
        if (verb.equals("claim")) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            key = new DeviceKey(pair.getPrivate(), (ECPublicKey) pair.getPublic());
            pairing = new Pairing(rest, key);
            pairing.claim("Java");
            return done.put("number", pairing.number());
        }
        if (verb.equals("finish")) {
            paired = pairing.finish();
            return done.put("device", paired == null ? JSONObject.NULL : paired.device);
        }
        if (verb.equals("addresses")) {
            List<String> all = new ArrayList<String>(Arrays.asList(rest.split(",")));
            paired = new Paired(paired.device, paired.fingerprint, all, key);
            return done;
        }
        if (verb.equals("connect")) {
            line = HostLine.open(paired, waiting.seq());
            return done.put("scopes", line.welcome().getJSONArray("scopes"));
        }
        if (verb.equals("cut")) {
            line.close();
            return done;
        }
        if (verb.equals("wait")) {
            int count = Integer.parseInt(rest);
            while (waiting.open().size() != count) waiting.take(line.next());
            return done.put("open", waiting.open().keySet().toString());
        }
        if (verb.equals("take")) {
            waiting.take(new JSONObject(rest));
            return done.put("open", waiting.open().keySet().toString());
        }
        if (verb.equals("allow") || verb.equals("deny")) {
            JSONObject request = waiting.open().values().iterator().next();
            boolean isAllow = verb.equals("allow");
            JSONObject command = isAllow
                    ? Answer.allowOnce(request, paired, line.hostNowMs())
                    : Answer.deny(request, rest, paired, line.hostNowMs());
            String id = "j" + commands++;
            line.command(id, command);
            return done.put("unlock", Answer.needsUnlocking(request)).put("reply", reply(id));
        }
        throw new IllegalArgumentException(verb);
    }

    /** Reads until the command is answered; a line that breaks says so by an exception. */
    private String reply(String id) throws Exception {
        while (true) {
            JSONObject message = line.next();
            String type = message.getString("type");
            if (type.equals("error")) throw new HostRefused(message.getJSONObject("error").getString("code"), "");
            if (type.equals("command_reply") && message.getString("id").equals(id)) return type;
            waiting.take(message);
        }
    }
}

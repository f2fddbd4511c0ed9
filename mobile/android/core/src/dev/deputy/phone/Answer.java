package dev.deputy.phone;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** A signed answer to a request. */
public final class Answer {
    /** The validity of a signature. The host accepts at most two minutes. */
    private static final long GOOD_MS = 60_000;

    private Answer() {}

    /**
     * Returns whether the phone's owner must authenticate before allowing a request. An unknown risk counts as high.
     */
    public static boolean needsUnlocking(JSONObject request) {
        String risk = request == null ? "" : request.optString("risk");
        return !(risk.equals("low") || risk.equals("medium"));
    }

    /** Returns the choice that allows a request once. */
    public static JSONObject allowOnce() throws JSONException {
        JSONObject choice = new JSONObject().put("choice", "allow");
        choice.put("lifetime", new JSONObject().put("for", "once"));
        return choice.put("wider", false).put("dropped", new JSONArray());
    }

    public static JSONObject deny(String reason) throws JSONException {
        return new JSONObject().put("choice", "deny").put("reason", reason);
    }

    /** Returns the command that answers a request, signed over what was shown. */
    public static JSONObject command(JSONObject request, JSONObject choice, Paired paired, long hostNowMs)
            throws GeneralSecurityException, JSONException {
        JSONObject answer = new JSONObject().put("request", request.getString("id"));
        answer.put("digest", request.getString("digest")).put("choice", choice);
        sign(answer, paired, hostNowMs);
        return new JSONObject().put("command", "answer_permission").put("answer", answer);
    }

    /** Signs an answer in place, whoever created it. The request, digest and choice stay unchanged. */
    static void sign(JSONObject answer, Paired paired, long hostNowMs) throws GeneralSecurityException, JSONException {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String nonce = DeviceKey.encode(random);
        JSONObject choice = answer.getJSONObject("choice");
        long until = hostNowMs + GOOD_MS;
        String reason = choice.getString("choice").equals("deny") ? choice.getString("reason") : "";
        String signature = paired.key.sign("deputy-answer-1", paired.device, answer.getString("request"),
                answer.getString("digest"), words(choice), Long.toString(until), nonce, reason);
        JSONObject by = new JSONObject().put("by", "device").put("device", paired.device).put("name", "");
        answer.put("by", by.put("expires_at_ms", until).put("nonce", nonce).put("signature", signature));
    }

    /** Returns the text of a choice that is signed. */
    static String words(JSONObject choice) throws JSONException {
        if (choice.getString("choice").equals("deny")) return choice.optBoolean("change") ? "change" : "deny";
        StringBuilder words = new StringBuilder(choice.optBoolean("wider") ? "allow wider " : "allow ");
        JSONObject lifetime = choice.getJSONObject("lifetime");
        String kind = lifetime.getString("for");
        words.append(kind);
        // `task`, `session` and `minutes` have a value: which one, or how many.
        if (lifetime.has(kind)) words.append(' ').append(lifetime.get(kind));
        JSONArray dropped = choice.optJSONArray("dropped");
        for (int at = 0; dropped != null && at < dropped.length(); at++) {
            words.append(at == 0 ? " without " : ",").append(dropped.getString(at));
        }
        return words.toString();
    }
}

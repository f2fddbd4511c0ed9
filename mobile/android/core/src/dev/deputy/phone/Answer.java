package dev.deputy.phone;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import org.json.JSONException;
import org.json.JSONObject;

/** A signed answer to a request, as the commands on a notification give it: allow this once, or deny. */
public final class Answer {
    /** How long a signature is good; the host takes two minutes at most. */
    private static final long GOOD_MS = 60_000;

    private Answer() {}

    /** Whether a request may be allowed without the phone being unlocked. What has no known risk counts as high. */
    public static boolean needsUnlocking(JSONObject request) {
        String risk = request.optString("risk");
        return !(risk.equals("low") || risk.equals("medium"));
    }

    public static JSONObject allowOnce(JSONObject request, Paired paired, long hostNowMs)
            throws GeneralSecurityException, JSONException {
        JSONObject lifetime = new JSONObject().put("for", "once");
        JSONObject choice = new JSONObject().put("choice", "allow").put("lifetime", lifetime);
        choice.put("wider", false).put("dropped", new org.json.JSONArray());
        return signed(request, choice, "allow once", "", paired, hostNowMs);
    }

    public static JSONObject deny(JSONObject request, String reason, Paired paired, long hostNowMs)
            throws GeneralSecurityException, JSONException {
        JSONObject choice = new JSONObject().put("choice", "deny").put("reason", reason);
        return signed(request, choice, "deny", reason, paired, hostNowMs);
    }

    private static JSONObject signed(
            JSONObject request, JSONObject choice, String words, String reason, Paired paired, long hostNowMs)
            throws GeneralSecurityException, JSONException {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String nonce = DeviceKey.encode(random);
        String id = request.getString("id");
        String digest = request.getString("digest");
        long until = hostNowMs + GOOD_MS;
        String signature = paired.key.sign(
                "deputy-answer-1", paired.device, id, digest, words, Long.toString(until), nonce, reason);
        JSONObject by = new JSONObject().put("by", "device").put("device", paired.device).put("name", "");
        by.put("expires_at_ms", until).put("nonce", nonce).put("signature", signature);
        JSONObject answer = new JSONObject().put("request", id).put("digest", digest);
        answer.put("choice", choice).put("by", by);
        return new JSONObject().put("command", "answer_permission").put("answer", answer);
    }
}

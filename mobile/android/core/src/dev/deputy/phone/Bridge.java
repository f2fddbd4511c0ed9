package dev.deputy.phone;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The bridge between the app's pages and the host. The pages have neither network access nor keys. They
 * send JSON commands, and this class makes the connection, the proof and the signatures. The host's message
 * determines what is high-risk.
 */
public final class Bridge {
    /** The pages. Methods may be called from any thread. */
    public interface Page {
        void hear(String message);
    }

    private final Phone phone;
    private final Page page;
    private final ExecutorService work = Executors.newSingleThreadExecutor();
    private Pairing pairing;
    private PageLine line;
    /** What to show, from before the pages asked for it. */
    private JSONObject start = new JSONObject();
    private boolean isBegun;

    public Bridge(Phone phone, Page page) {
        this.phone = phone;
        this.page = page;
    }

    /** Handles a message from the pages. Returns immediately. */
    public void tell(final String message) {
        work.execute(new Runnable() {
            @Override
            public void run() {
                try {
                    obey(new JSONObject(message));
                } catch (JSONException error) {
                    throw new IllegalStateException("The pages of this app do not fit it.", error);
                }
            }
        });
    }

    /**
     * Tells the pages what to show, at the start or while they are open: `go` to a place, or text that was `shared`.
     */
    public void show(final String name, final String value) {
        work.execute(new Runnable() {
            @Override
            public void run() {
                try {
                    if (isBegun) hear(new JSONObject().put("say", name).put(name, value));
                    else start.put(name, value);
                } catch (JSONException error) {
                    throw new IllegalStateException(error);
                }
            }
        });
    }

    /** Ends the pages' connection. The bridge must not be used afterwards. */
    public void close() {
        work.execute(new Runnable() {
            @Override
            public void run() {
                if (line != null) line.close();
                work.shutdown();
            }
        });
    }

    private void obey(JSONObject message) throws JSONException {
        String verb = message.getString("do");
        if (verb.equals("open")) {
            if (line != null) line.close();
            line = new PageLine(phone, page, message.getInt("line"));
            line.start();
        } else if (verb.equals("send")) {
            if (line != null && line.number == message.getInt("line")) line.send(message.getJSONObject("message"));
        } else if (verb.equals("close")) {
            if (line != null && line.number == message.getInt("line")) line.close();
        } else {
            answer(message.getInt("call"), verb, message);
        }
    }

    private void answer(final int call, String verb, JSONObject message) throws JSONException {
        try {
            if (verb.equals("scan")) {
                phone.scan(new Phone.Scanned() {
                    @Override
                    public void scanned(String text) {
                        reply(call, text == null ? JSONObject.NULL : text);
                    }
                });
                return;
            }
            reply(call, done(verb, message));
        } catch (HostRefused refused) {
            fail(call, refused.code, refused.getMessage());
        } catch (IOException error) {
            boolean isOther = error.getCause() instanceof java.security.cert.CertificateException;
            Phone.Words words = isOther ? Phone.Words.OTHER_SERVER : Phone.Words.UNREACHABLE;
            fail(call, "page", phone.words(words));
        } catch (GeneralSecurityException error) {
            fail(call, "page", String.valueOf(error.getMessage()));
        }
    }

    private Object done(String verb, JSONObject message) throws IOException, GeneralSecurityException, JSONException {
        if (verb.equals("begin")) {
            JSONObject begun = start.put("kept", kept());
            isBegun = true;
            start = new JSONObject();
            return begun;
        }
        if (verb.equals("claim")) {
            Map<String, String> parts = Pairing.parts(message.getString("link"));
            if (parts == null) throw new HostRefused("page", phone.words(Phone.Words.NO_CODE));
            Phone.Keys keys = phone.makeKeys();
            pairing = new Pairing(message.getString("link"), keys.signing, keys.sealing);
            pairing.claim(message.getString("name"));
            return pairing.number();
        }
        if (verb.equals("finish")) {
            if (pairing == null) throw new HostRefused("page", phone.words(Phone.Words.NO_CODE));
            JSONObject stage = pairing.finish();
            if (stage.getString("stage").equals("paired")) phone.keep(pairing.kept(stage));
            return stage;
        }
        if (verb.equals("keep")) {
            boolean isPushed = message.getJSONObject("change").optBoolean("push");
            if (isPushed && !phone.canBePushed()) throw new HostRefused("page", phone.words(Phone.Words.NO_PUSH));
            try {
                phone.keep(phone.kept().with(message.getJSONObject("change")));
            } catch (JSONException wrong) {
                boolean isRelay = "relay".equals(wrong.getMessage());
                throw new HostRefused("page", phone.words(isRelay ? Phone.Words.NO_RELAY : Phone.Words.NO_ADDRESS));
            }
            return kept();
        }
        if (verb.equals("forget")) {
            if (line != null) line.close();
            phone.forget();
            return kept();
        }
        throw new JSONException(verb);
    }

    private Object kept() {
        Kept kept = phone.kept();
        return kept == null ? JSONObject.NULL : kept.json();
    }

    private void reply(int call, Object result) {
        try {
            hear(new JSONObject().put("say", "reply").put("call", call).put("result", result));
        } catch (JSONException error) {
            throw new IllegalStateException(error);
        }
    }

    private void fail(int call, String code, String words) throws JSONException {
        hear(new JSONObject().put("say", "reply").put("call", call).put("error", PageLine.error(code, words)));
    }

    private void hear(JSONObject message) {
        page.hear(message.toString());
    }
}

package dev.deputy.phone;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLSocket;
import org.json.JSONException;
import org.json.JSONObject;

/** A connection to the paired host. The hello signs the host's challenge; messages follow. Only one thread may read. */
public final class HostLine implements Closeable {
    private static final int CONNECT_MS = 5_000;
    /** The host sends pings. After a silence of this length, the connection is considered dead. */
    private static final int SILENCE_MS = 75_000;
    private static final int PROTOCOL = 1;

    /**
     * The device and its push address, as last confirmed by a host. They can change while disconnected, so each
     * connection compares them.
     */
    private static volatile String said = "";

    /** The id of the command that sends the push address, until the host has answered. */
    private volatile String saying;
    private final Paired paired;
    private final WebSocket socket;
    private final String challenge;
    /** The offset of the host's clock to the phone's, in milliseconds. */
    private final long aheadMs;

    private HostLine(Paired paired, WebSocket socket, JSONObject challenge) throws JSONException {
        this.paired = paired;
        this.socket = socket;
        this.challenge = challenge.getString("challenge");
        aheadMs = challenge.getLong("now_ms") - System.currentTimeMillis();
    }

    /**
     * Connects to the first address at which the paired host answers. A server with another key is not the
     * host, and receives nothing.
     */
    public static HostLine connect(Paired paired) throws IOException, GeneralSecurityException, JSONException {
        IOException last = new IOException("There is no address to try.");
        for (String address : paired.addresses) {
            try {
                return connect(paired, address);
            } catch (IOException error) {
                last = error;
            }
        }
        throw last;
    }

    private static HostLine connect(Paired paired, String address)
            throws IOException, GeneralSecurityException, JSONException {
        SSLSocket tls = (SSLSocket) new Pin(paired.fingerprint).sockets().createSocket();
        try {
            tls.connect(new InetSocketAddress(Address.host(address), Address.port(address)), CONNECT_MS);
            tls.setSoTimeout(SILENCE_MS);
            tls.setTcpNoDelay(true);
            tls.startHandshake();
            WebSocket socket = new WebSocket(tls, paired.host, "/ws");
            JSONObject challenge = new JSONObject(socket.receive());
            if (!challenge.getString("type").equals("challenge")) throw new IOException("The host sent no challenge.");
            return new HostLine(paired, socket, challenge);
        } catch (IOException | JSONException error) {
            tls.close();
            throw error;
        }
    }

    /** Connects and subscribes to events. `resumeFrom` is the last known event, or 0. */
    public static HostLine follow(Paired paired, long resumeFrom)
            throws IOException, GeneralSecurityException, JSONException {
        HostLine line = connect(paired);
        JSONObject hello = new JSONObject();
        hello.put("type", "hello").put("protocol", PROTOCOL).put("follow", true).put("brief", true);
        hello.put("resume_from", resumeFrom > 0 ? (Object) resumeFrom : JSONObject.NULL);
        line.hello(hello);
        return line;
    }

    /** Sends the hello, with the proof of the device's identity. */
    public void hello(JSONObject hello) throws IOException, GeneralSecurityException, JSONException {
        String signature = paired.key.sign("deputy-connect-1", paired.fingerprint, paired.device, challenge);
        JSONObject proof = new JSONObject();
        proof.put("proof", "device").put("device", paired.device).put("signature", signature);
        socket.send(hello.put("proof", proof).toString());
        String reach = paired.device + " " + paired.push;
        if (paired.push == null || reach.equals(said)) return;
        saying = "reach" + challenge;
        JSONObject command = new JSONObject().put("command", "reach_device").put("device", paired.device);
        command(saying, command.put("endpoint", paired.push.isEmpty() ? JSONObject.NULL : paired.push));
    }

    /** Returns the next message, as the host sent it. */
    public String next() throws IOException {
        String text = socket.receive();
        if (saying != null && text.contains(saying)) {
            said = paired.device + " " + paired.push;
            saying = null;
        }
        return text;
    }

    /** Returns whether the host knows the phone's push address, or there is none to send. */
    boolean isReachSaid() {
        return saying == null;
    }

    /** Returns the host's time in milliseconds since 1970. Signed answers expire by the host's clock. */
    public long hostNowMs() {
        return System.currentTimeMillis() + aheadMs;
    }

    /** Sends a command under an id from the phone. A repeated id means the same command. */
    public void command(String id, JSONObject command) throws IOException, JSONException {
        JSONObject envelope = new JSONObject().put("id", id).put("command", command);
        send(new JSONObject().put("type", "command").put("envelope", envelope));
    }

    public void send(JSONObject message) throws IOException {
        socket.send(message.toString());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

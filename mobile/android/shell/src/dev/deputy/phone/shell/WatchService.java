package dev.deputy.phone.shell;

import android.app.Service;
import android.content.Context;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkRequest;
import android.os.IBinder;
import android.util.Log;
import dev.deputy.phone.Answer;
import dev.deputy.phone.Kept;
import dev.deputy.phone.Phrase;
import dev.deputy.phone.Watch;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The service that holds the connection while the app is closed, shows open requests, and sends answers from the
 * notifications' buttons.
 */
public final class WatchService extends Service implements Watch.Shows {
    static final String REQUEST = "request";
    static final String DIGEST = "digest";
    static final String ALLOW = "allow";

    /** Whether the host is connected, so that the relay does not have to be polled. */
    private static volatile boolean isHearing;

    private static volatile WatchService running;

    private final ExecutorService answering = Executors.newSingleThreadExecutor();
    private Notices notices;
    private Watch watch;
    private ConnectivityManager network;
    private final ConnectivityManager.NetworkCallback onNetwork = new ConnectivityManager.NetworkCallback() {
        @Override
        public void onAvailable(Network which) {
            if (watch != null) watch.poke();
        }
    };

    /**
     * Starts or stops the service according to the settings. If Android does not allow that now, the next start of
     * the app does it.
     */
    static void adjust(Context context) {
        Kept kept = AndroidPhone.of(context).kept();
        Intent service = new Intent(context, WatchService.class);
        RelayJob.adjust(context, kept);
        if (kept == null || !kept.watches()) {
            context.stopService(service);
            WaitingWidget.show(context, 0, "", false);
            return;
        }
        try {
            context.startForegroundService(service);
        } catch (IllegalStateException error) {
            Log.w("Deputy", "The service may not start now", error);
        }
    }

    /** Connects at once after a push message, if the user enabled that. */
    static void wake(Context context) {
        WatchService now = running;
        if (now != null && now.watch != null) now.watch.poke();
        else adjust(context);
    }

    static boolean isHearing() {
        return isHearing;
    }

    @Override
    public void onCreate() {
        super.onCreate();
        running = this;
        notices = new Notices(this);
        startForeground(Notices.WATCHING, notices.watching(false, 0));
        network = (ConnectivityManager) getSystemService(CONNECTIVITY_SERVICE);
        network.registerNetworkCallback(new NetworkRequest.Builder().build(), onNetwork);
    }

    @Override
    public int onStartCommand(Intent intent, int flags, int start) {
        Kept kept = AndroidPhone.of(this).kept();
        if (kept == null || !kept.watches()) {
            stopSelf();
            return START_NOT_STICKY;
        }
        if (intent != null && intent.hasExtra(REQUEST)) give(intent);
        else begin(kept);
        return START_STICKY;
    }

    /** Starts watching with the current state, because addresses may have changed. */
    private void begin(Kept kept) {
        if (watch != null) watch.close();
        try {
            watch = new Watch(kept.paired(AndroidPhone.of(this).keys().signing), this);
        } catch (GeneralSecurityException error) {
            Log.w("Deputy", "The phone's key cannot be used", error);
            stopSelf();
            return;
        }
        final Watch fresh = watch;
        new Thread("watch") {
            @Override
            public void run() {
                fresh.run();
            }
        }.start();
    }

    private void give(Intent intent) {
        final String request = intent.getStringExtra(REQUEST);
        final String digest = intent.getStringExtra(DIGEST);
        final boolean isAllow = intent.getBooleanExtra(ALLOW, false);
        if (watch == null) begin(AndroidPhone.of(this).kept());
        final Watch now = watch;
        if (now == null) return;
        // A locked phone must not approve anything.
        if (isAllow && notices.isLocked()) {
            say(request, R.string.unlock_first);
            return;
        }
        answering.execute(new Runnable() {
            @Override
            public void run() {
                try {
                    now.answer(request, digest, isAllow ? Answer.allowOnce() : Answer.deny(""));
                } catch (JSONException error) {
                    undelivered(request);
                }
            }
        });
    }

    private void say(String id, int words) {
        JSONObject request = watch == null ? null : watch.request(id);
        if (request != null) notices.show(request, getString(words));
    }

    @Override
    public void waiting(Map<String, JSONObject> requests, Map<String, JSONObject> questions, boolean isConnected) {
        isHearing = isConnected;
        int count = requests.size() + questions.size();
        notices.watch(isConnected, count);
        // While disconnected, answers given elsewhere are unknown, so the notifications stay.
        if (isConnected) notices.show(requests, questions);
        String first = requests.isEmpty() ? "" : Phrase.in(requests.values().iterator().next(), "summary");
        WaitingWidget.show(this, count, first, isConnected);
    }

    @Override
    public void answered(String request, String choice) {
        // The open requests were reported as well, so the notification is already removed.
    }

    @Override
    public void undelivered(String request) {
        say(request, R.string.undelivered);
    }

    @Override
    public void refused(String request, String code, String message) {
        say(request, R.string.not_taken);
    }

    @Override
    public void dismissed(String code, String message) {
        isHearing = false;
        AndroidPhone.of(this).forget();
        notices.dismissed(message);
        stopSelf();
    }

    @Override
    public void onDestroy() {
        running = null;
        isHearing = false;
        network.unregisterNetworkCallback(onNetwork);
        if (watch != null) watch.close();
        answering.shutdown();
        if (AndroidPhone.of(this).kept() == null) notices.clear();
        super.onDestroy();
    }

    @Override
    public IBinder onBind(Intent intent) {
        return null;
    }
}

package dev.deputy.phone.shell;

import android.app.KeyguardManager;
import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.net.Uri;
import android.os.Build;
import android.service.notification.StatusBarNotification;
import dev.deputy.phone.Card;
import dev.deputy.phone.Phrase;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.json.JSONObject;

/**
 * The notifications: one for each open request or question, withdrawn when it is answered, and a silent one for the
 * service.
 */
final class Notices {
    /** The service's own notification. */
    static final int WATCHING = 1;
    private static final int WAITS = 2;
    private static final String REQUESTS = "requests";
    private static final String SERVICE = "service";
    private static final String TOLD = "relay.told";
    private static final int API_ACTION_UNLOCKS = 31;

    private final Context context;
    private final NotificationManager manager;
    /** The notifications that are shown, with a note about the last answer if there is one. */
    private final Map<String, String> shown = new LinkedHashMap<String, String>();

    Notices(Context context) {
        this.context = context;
        manager = (NotificationManager) context.getSystemService(Context.NOTIFICATION_SERVICE);
        String requests = context.getString(R.string.channel_requests);
        manager.createNotificationChannel(new NotificationChannel(REQUESTS, requests, NotificationManager.IMPORTANCE_HIGH));
        String service = context.getString(R.string.channel_service);
        NotificationChannel quiet = new NotificationChannel(SERVICE, service, NotificationManager.IMPORTANCE_MIN);
        quiet.setShowBadge(false);
        manager.createNotificationChannel(quiet);
    }

    /** Returns the notification that the system shows while the connection is held. */
    Notification watching(boolean isConnected, int count) {
        String text = context.getString(isConnected ? R.string.watching : R.string.out_of_reach);
        if (count > 0) text = waiting(count) + " · " + text;
        return new Notification.Builder(context, SERVICE)
                .setSmallIcon(R.drawable.mark)
                .setContentTitle(context.getString(R.string.app_name))
                .setContentText(text)
                .setContentIntent(open("#/tasks"))
                .setOngoing(true)
                .setShowWhen(false)
                .build();
    }

    void watch(boolean isConnected, int count) {
        manager.notify(WATCHING, watching(isConnected, count));
    }

    private String waiting(int count) {
        return context.getResources().getQuantityString(R.plurals.waiting, count, count);
    }

    /** Shows notifications for new requests and questions, and removes those that are no longer open. */
    synchronized void show(Map<String, JSONObject> requests, Map<String, JSONObject> questions) {
        Set<String> open = new HashSet<String>(requests.keySet());
        open.addAll(questions.keySet());
        // Includes notifications from an earlier process.
        for (StatusBarNotification each : manager.getActiveNotifications()) {
            if (each.getId() == WAITS && !open.contains(each.getTag())) manager.cancel(each.getTag(), WAITS);
        }
        shown.keySet().retainAll(open);
        for (JSONObject request : requests.values()) show(request, null);
        for (JSONObject question : questions.values()) {
            String id = question.optString("id");
            if (shown.containsKey(id)) continue;
            shown.put(id, "");
            String text = Card.cut(Card.visible(Phrase.in(question, "text")));
            manager.notify(id, WAITS, waits(id, context.getString(R.string.question), text, null).build());
        }
    }

    /** Shows a request. If there is a note about its last answer, shows it again. */
    synchronized void show(JSONObject request, String word) {
        String id = request.optString("id");
        String said = word == null ? "" : word;
        // A notification that is already shown does not alert again.
        if (word == null && shown.containsKey(id)) return;
        if (said.equals(shown.put(id, said)) && word != null) return;
        Card card = new Card(request);
        Notification.Builder builder = waits(id, card.title, card.text, word);
        builder.setStyle(new Notification.BigTextStyle().bigText(word == null ? card.text : word + "\n" + card.text));
        if (card.mayAllow) builder.addAction(action(R.string.allow_once, request, true));
        builder.addAction(action(R.string.deny, request, false));
        manager.notify(id, WAITS, builder.build());
    }

    /**
     * Shows notices from a relay while disconnected. They open the app, where they can be answered. Each is shown
     * once.
     */
    synchronized void show(Map<String, JSONObject> notices, SharedPreferences place) {
        Set<String> told = place.getStringSet(TOLD, new HashSet<String>());
        for (JSONObject notice : notices.values()) {
            String id = notice.optString("id");
            if (notice.optString("kind").equals("ended") || told.contains(id)) continue;
            String text = Card.cut(Card.visible(notice.optString("text")));
            manager.notify(id, WAITS, waits(id, context.getString(R.string.app_name), text, null).build());
        }
        for (String id : told) {
            if (!notices.containsKey(id)) manager.cancel(id, WAITS);
        }
        place.edit().putStringSet(TOLD, new HashSet<String>(notices.keySet())).apply();
    }

    /** Shows a notice from a push message while disconnected. */
    synchronized void pushed(JSONObject notice, SharedPreferences place) {
        Map<String, JSONObject> all = new LinkedHashMap<String, JSONObject>();
        Set<String> told = new HashSet<String>(place.getStringSet(TOLD, new HashSet<String>()));
        String id = notice.optString("id");
        for (String other : told) {
            if (!other.equals(id)) all.put(other, new JSONObject());
        }
        if (!notice.optBoolean("withdrawn")) all.put(id, notice);
        show(all, place);
    }

    /** Removes all notifications, because the phone is no longer paired. */
    synchronized void clear() {
        shown.clear();
        manager.cancelAll();
    }

    /** Says that the host no longer accepts this phone. */
    void dismissed(String why) {
        clear();
        String title = context.getString(R.string.dismissed);
        manager.notify("dismissed", WAITS, waits("", title, Card.cut(Card.visible(why)), null).build());
    }

    boolean isLocked() {
        return ((KeyguardManager) context.getSystemService(Context.KEYGUARD_SERVICE)).isDeviceLocked();
    }

    private Notification.Builder waits(String id, String title, String text, String word) {
        // The lock screen only shows that something waits.
        Notification locked = new Notification.Builder(context, REQUESTS)
                .setSmallIcon(R.drawable.mark)
                .setContentTitle(waiting(1))
                .build();
        return new Notification.Builder(context, REQUESTS)
                .setSmallIcon(R.drawable.mark)
                .setContentTitle(title)
                .setContentText(word == null ? text : word)
                .setCategory(Notification.CATEGORY_REMINDER)
                .setVisibility(Notification.VISIBILITY_PRIVATE)
                .setPublicVersion(locked)
                .setOnlyAlertOnce(word == null)
                .setAutoCancel(false)
                .setContentIntent(open(id.isEmpty() ? "#/tasks" : "#/inbox/" + Uri.encode(id)));
    }

    private PendingIntent open(String place) {
        Intent intent = new Intent(context, MainActivity.class).putExtra(MainActivity.GO, place);
        // Intents that differ only in extras are considered equal, so the action is unique.
        intent.setData(null).setAction("open " + place).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
        int flags = PendingIntent.FLAG_UPDATE_CURRENT | PendingIntent.FLAG_IMMUTABLE;
        return PendingIntent.getActivity(context, 0, intent, flags);
    }

    private Notification.Action action(int words, JSONObject request, boolean isAllow) {
        Intent intent = new Intent(context, WatchService.class).setAction((isAllow ? "allow " : "deny ") + request.optString("id"));
        intent.putExtra(WatchService.REQUEST, request.optString("id"));
        intent.putExtra(WatchService.DIGEST, request.optString("digest"));
        intent.putExtra(WatchService.ALLOW, isAllow);
        int flags = PendingIntent.FLAG_UPDATE_CURRENT | PendingIntent.FLAG_IMMUTABLE;
        PendingIntent pending = PendingIntent.getForegroundService(context, 0, intent, flags);
        Notification.Action.Builder builder =
                new Notification.Action.Builder(null, context.getString(words), pending);
        if (isAllow && Build.VERSION.SDK_INT >= API_ACTION_UNLOCKS) builder.setAuthenticationRequired(true);
        return builder.build();
    }
}

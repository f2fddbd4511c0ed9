package dev.deputy.phone.shell;

import android.app.PendingIntent;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.util.Log;
import dev.deputy.phone.Kept;
import dev.deputy.phone.Push;
import java.security.GeneralSecurityException;
import org.json.JSONObject;

/**
 * Receives messages from a UnifiedPush app: the push address, and notices. Other apps may send anything, so
 * the receiver is disabled unless the user turned push on, and then requires the token of this
 * registration.
 */
public final class PushReceiver extends BroadcastReceiver {
    private static final String APP = "org.unifiedpush.android.distributor.";
    private static final String OURS = "org.unifiedpush.android.connector.";
    private static final String TOKEN = "token";

    /** Registers or unregisters according to the settings. Disabled by default, and after the phone was forgotten. */
    static void adjust(Context context, Kept before, Kept now) {
        boolean isPushed = now != null && now.isPushed();
        int state = isPushed ? PackageManager.COMPONENT_ENABLED_STATE_ENABLED : PackageManager.COMPONENT_ENABLED_STATE_DEFAULT;
        ComponentName own = new ComponentName(context, PushReceiver.class);
        context.getPackageManager().setComponentEnabledSetting(own, state, PackageManager.DONT_KILL_APP);
        String old = before == null ? "" : before.token();
        if (!old.isEmpty() && !(isPushed && now.token().equals(old))) tell(context, "UNREGISTER", old, null);
        if (isPushed && now.endpoint().isEmpty()) tell(context, "REGISTER", now.token(), null);
    }

    /** Returns the push app on this phone, or null. If there are several, the first that Android lists. */
    static String distributor(Context context) {
        for (ResolveInfo found : context.getPackageManager().queryBroadcastReceivers(new Intent(APP + "REGISTER"), 0)) {
            if (!found.activityInfo.packageName.equals(context.getPackageName())) return found.activityInfo.packageName;
        }
        return null;
    }

    private static void tell(Context context, String what, String token, String message) {
        String to = distributor(context);
        if (to == null) return;
        Intent intent = new Intent(APP + what).setPackage(to).putExtra(TOKEN, token).putExtra("application", context.getPackageName());
        if (message != null) intent.putExtra("id", message);
        // Identifies the sender to the push app. The intent cannot do anything.
        int flags = PendingIntent.FLAG_IMMUTABLE;
        intent.putExtra("pi", PendingIntent.getBroadcast(context, 0, new Intent().setPackage(context.getPackageName()), flags));
        context.sendBroadcast(intent);
    }

    @Override
    public void onReceive(Context context, Intent intent) {
        AndroidPhone phone = AndroidPhone.of(context);
        Kept kept = phone.kept();
        String what = String.valueOf(intent.getAction());
        if (!what.startsWith(OURS) || !Push.isOurs(kept, intent.getStringExtra(TOKEN))) return;
        what = what.substring(OURS.length());
        if (what.equals("MESSAGE")) {
            take(context, phone, intent);
        } else if (what.equals("NEW_ENDPOINT")) {
            String endpoint = intent.getStringExtra("endpoint");
            if (endpoint != null) phone.keep(kept.at(endpoint));
        } else if (what.equals("UNREGISTERED")) {
            phone.keep(kept.at(""));
        }
    }

    private static void take(Context context, AndroidPhone phone, Intent intent) {
        String id = intent.getStringExtra("id");
        if (id != null) tell(context, "MESSAGE_ACK", intent.getStringExtra(TOKEN), id);
        try {
            JSONObject notice = Push.open(intent.getByteArrayExtra("bytesMessage"), phone.keys().sealing);
            if (notice == null) return;
            // While the service is connected, it shows the request itself, with buttons.
            if (!WatchService.isHearing()) new Notices(context).pushed(notice, phone.place());
        } catch (GeneralSecurityException error) {
            Log.w("Deputy", "The phone's key cannot be used", error);
            return;
        }
        WatchService.wake(context);
    }
}

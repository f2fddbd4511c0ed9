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
 * What a UnifiedPush app says: where the phone can be reached, and that something waits. Other apps may send it anything, so
 * it is shut unless its person turned push on, and then counts only with the token of this registration.
 */
public final class PushReceiver extends BroadcastReceiver {
    private static final String APP = "org.unifiedpush.android.distributor.";
    private static final String OURS = "org.unifiedpush.android.connector.";
    private static final String TOKEN = "token";

    /** Registers, or ends what was registered, as was chosen. Without a choice, and after the phone was forgotten, it is shut. */
    static void adjust(Context context, Kept before, Kept now) {
        boolean isPushed = now != null && now.isPushed();
        int state = isPushed ? PackageManager.COMPONENT_ENABLED_STATE_ENABLED : PackageManager.COMPONENT_ENABLED_STATE_DEFAULT;
        ComponentName own = new ComponentName(context, PushReceiver.class);
        context.getPackageManager().setComponentEnabledSetting(own, state, PackageManager.DONT_KILL_APP);
        String old = before == null ? "" : before.token();
        if (!old.isEmpty() && !(isPushed && now.token().equals(old))) tell(context, "UNREGISTER", old, null);
        if (isPushed && now.endpoint().isEmpty()) tell(context, "REGISTER", now.token(), null);
    }

    /** The push app on this phone, or nothing. Of several the first that Android names. */
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
        // Shows the push app who asks; there is nothing in it to be sent.
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
            // While the host is heard, the service shows it, with its buttons.
            if (!WatchService.isHearing()) new Notices(context).pushed(notice, phone.place());
        } catch (GeneralSecurityException error) {
            Log.w("Deputy", "The phone's key cannot be used", error);
            return;
        }
        WatchService.wake(context);
    }
}

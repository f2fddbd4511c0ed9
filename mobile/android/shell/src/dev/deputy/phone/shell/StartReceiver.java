package dev.deputy.phone.shell;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import dev.deputy.phone.Kept;

/** Starts watching after the phone has started or the app was updated, if the user enabled that. */
public final class StartReceiver extends BroadcastReceiver {
    @Override
    public void onReceive(Context context, Intent intent) {
        String what = intent.getAction();
        boolean isStart = Intent.ACTION_BOOT_COMPLETED.equals(what) || Intent.ACTION_MY_PACKAGE_REPLACED.equals(what);
        Kept kept = AndroidPhone.of(context).kept();
        if (isStart && kept != null && kept.startsWithPhone()) WatchService.adjust(context);
    }
}

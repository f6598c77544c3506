#if SyncHTTP
  import UndercroftSyncHTTP
#endif

#if SyncServer
  import UndercroftSyncServer
#endif

#if SyncServer
  import Configuration
  import UndercroftSyncServer
#endif

#if SyncPostgres
  import UndercroftSyncPostgres
#endif

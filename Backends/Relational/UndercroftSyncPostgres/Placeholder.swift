#if SyncPostgres
  import CPostgres
#endif

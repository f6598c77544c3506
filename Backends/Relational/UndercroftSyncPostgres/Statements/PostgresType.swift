#if SyncPostgres
  /// The object identifiers of types, which are the same in every database. (`pg_type.dat`)
  enum PostgresType: UInt32, Sendable {
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case text = 25
    case byteaArray = 1001
    case int2Array = 1005
    case textArray = 1009
    case int8Array = 1016
    case uuid = 2950
  }
#endif

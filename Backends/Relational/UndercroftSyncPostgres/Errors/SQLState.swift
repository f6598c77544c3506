#if SyncPostgres
  import UndercroftCore

  /// An error code of PostgreSQL. (Appendix A of its manual)
  struct SQLState: Hashable, Sendable, CustomStringConvertible {
    private let code: ExactString

    init(_ code: String) { self.code = ExactString(code) }

    var description: String { code.text }

    /// The first two characters, which name the class of the error.
    var errorClass: Substring { code.text.prefix(2) }

    static let serializationFailure = SQLState("40001")
    static let deadlock = SQLState("40P01")
    static let unknownOutcome = SQLState("40003")
    static let lockTimeout = SQLState("55P03")
    static let cancelled = SQLState("57014")
    static let uniqueViolation = SQLState("23505")
    static let duplicateTable = SQLState("42P07")
    static let duplicateObject = SQLState("42710")
    static let internalError = SQLState("XX000")
    static let undefinedTable = SQLState("42P01")
    static let undefinedColumn = SQLState("42703")
    static let insufficientPrivilege = SQLState("42501")
    static let readOnly = SQLState("25006")
    static let diskFull = SQLState("53100")
    static let unknownStatement = SQLState("26000")
    static let duplicateStatement = SQLState("42P05")
    static let featureNotSupported = SQLState("0A000")
    static let undefinedFunction = SQLState("42883")
    static let syntaxError = SQLState("42601")
    static let programLimit = SQLState("54000")
    static let dataCorrupted = SQLState("XX001")
    static let indexCorrupted = SQLState("XX002")
    static let missingSchema = SQLState("3F000")
    static let missingDatabase = SQLState("3D000")
    static let tooManyConnections = SQLState("53300")
    static let cannotConnectNow = SQLState("57P03")

    /// Whether the server asks to run the whole transaction again.
    var asksForRetry: Bool { self == .serializationFailure || self == .deadlock }

    /// Whether the server ends or has ended the connection with this error.
    ///
    /// `57014` only cancels a statement, and has the class of the shutdown of a server.
    var endsConnection: Bool {
      errorClass == "08" || errorClass == "57" && self != .cancelled || self == SQLState("25P03")
        || self == SQLState("25P04")
    }

    /// Whether the connection's prepared statements no longer are what this library prepared.
    var invalidatesStatements: Bool {
      self == .unknownStatement || self == .duplicateStatement || self == .featureNotSupported
    }
  }
#endif

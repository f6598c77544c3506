extension StorageError {
  /// The sort of failure; an open list, to which a backend may add its own.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable spelling, such as "wrongKey".
    public let rawValue: String

    /// Makes a code from its stable spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// The backend does not offer what was asked for.
    public static let notSupported = Code(rawValue: "notSupported")
    /// The name is empty, too long or holds a NUL character.
    public static let invalidKey = Code(rawValue: "invalidKey")
    /// The value cannot be turned into bytes.
    public static let encodingFailed = Code(rawValue: "encodingFailed")
    /// The bytes cannot be turned into a value of the asked type.
    public static let decodingFailed = Code(rawValue: "decodingFailed")
    /// The operating system refuses access.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// Another process holds the store, or a vault has not been unlocked.
    public static let locked = Code(rawValue: "locked")
    /// There is no room left.
    public static let full = Code(rawValue: "full")
    /// The value is larger than its kind allows.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The stored bytes are damaged.
    public static let corrupted = Code(rawValue: "corrupted")
    /// The key does not open the vault.
    public static let wrongKey = Code(rawValue: "wrongKey")
    /// The file or its folder can be read or written by others.
    public static let insecurePermissions = Code(rawValue: "insecurePermissions")
    /// A rule of the schema was violated.
    public static let constraintViolated = Code(rawValue: "constraintViolated")
    /// A service or file that is needed is not there.
    public static let unavailable = Code(rawValue: "unavailable")
    /// An interceptor refused the write.
    public static let vetoed = Code(rawValue: "vetoed")
    /// The caller has called it off.
    public static let interrupted = Code(rawValue: "interrupted")
    /// The call makes no sense at this place, such as a write within a write.
    public static let misuse = Code(rawValue: "misuse")
    /// Reading or writing failed in the operating system.
    public static let io = Code(rawValue: "io")
  }
}

extension StorageError {
  /// The kind of a failure; a backend can add further codes.
  ///
  /// As a pattern in a `catch` clause, a code matches a ``StorageError`` with this code. The
  /// code also matches an error that wraps such an error, for example the error of a batch:
  ///
  /// ```swift
  /// do {
  ///   try storage.save(theme, for: .theme)
  /// } catch StorageError.Code.full {
  ///   // Ask the user to free space.
  /// }
  /// ```
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the code, such as "wrongKey".
    public let rawValue: String

    /// Creates a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// Returns whether `pattern` is the code of `error`.
    ///
    /// If `error` is not a ``StorageError``, but wraps
    /// one, the code of the wrapped error is compared.
    public static func ~= (pattern: Code, error: any Error) -> Bool {
      var next: (any Error)? = error
      while let error = next {
        if let found = error as? StorageError { return found.code == pattern }
        next = (error as? any WrappingError)?.wrappedError
      }
      return false
    }

    /// The backend, or this version of the toolkit, does not
    /// support the requested operation or the format of the data.
    public static let notSupported = Code(rawValue: "notSupported")
    /// The name is empty, is too long or contains a NUL character, or no table has this name.
    public static let invalidKey = Code(rawValue: "invalidKey")
    /// The value cannot be encoded.
    public static let encodingFailed = Code(rawValue: "encodingFailed")
    /// The stored bytes cannot be decoded as a value of the requested type.
    public static let decodingFailed = Code(rawValue: "decodingFailed")
    /// The operating system denies access, or the store was opened for reading only.
    public static let accessDenied = Code(rawValue: "accessDenied")
    /// Another process or thread holds the store, or a vault has not been unlocked.
    public static let locked = Code(rawValue: "locked")
    /// There is no space left on the disk.
    public static let full = Code(rawValue: "full")
    /// The value exceeds the maximum size of its kind, or data exceeds a limit of the backend.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The stored bytes are damaged.
    public static let corrupted = Code(rawValue: "corrupted")
    /// The key cannot decrypt the vault or the encrypted store, or the key file has a wrong size.
    public static let wrongKey = Code(rawValue: "wrongKey")
    /// Other users can read or write the file or its folder.
    public static let insecurePermissions = Code(rawValue: "insecurePermissions")
    /// The write violates a constraint of the schema.
    public static let constraintViolated = Code(rawValue: "constraintViolated")
    /// A required service, file or route does not exist,
    /// or the system lacks a resource such as memory.
    public static let unavailable = Code(rawValue: "unavailable")
    /// An interceptor rejected the write.
    public static let vetoed = Code(rawValue: "vetoed")
    /// The caller cancelled the operation.
    public static let interrupted = Code(rawValue: "interrupted")
    /// The call is not allowed in this state, such as a
    /// write within a write, or with these arguments.
    public static let misuse = Code(rawValue: "misuse")
    /// The operating system reports an error in reading or writing, or too many files are open.
    public static let io = Code(rawValue: "io")
  }
}

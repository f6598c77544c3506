public import UndercroftFoundation

/// The credentials that an inspector uses to open encrypted stores.
public struct InspectionCredentials: Sendable {
  /// The file that contains a key, or `nil` if there is none.
  public var keyFile: URL?

  /// A closure that requests a passphrase from the user, and returns `nil` if the user enters none.
  ///
  /// The property is `nil` if no user can enter a passphrase.
  public var passphrase: (@Sendable () -> String?)?

  /// Creates credentials.
  ///
  /// If both arguments are `nil`, an inspector can report on an encrypted store, but cannot read
  /// its values.
  public init(keyFile: URL? = nil, passphrase: (@Sendable () -> String?)? = nil) {
    self.keyFile = keyFile
    self.passphrase = passphrase
  }
}

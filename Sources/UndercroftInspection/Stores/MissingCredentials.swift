/// The cause of an error of an encrypted store that needs a key, if no key was given or the given
/// key file does not exist.
///
/// Tools recognise it to name their own ways to pass a key.
package struct MissingCredentials: Error {
  /// Whether a key file was given, which does not exist.
  package let isKeyFileGiven: Bool

  /// Creates the cause.
  package init(isKeyFileGiven: Bool = false) { self.isKeyFileGiven = isKeyFileGiven }
}

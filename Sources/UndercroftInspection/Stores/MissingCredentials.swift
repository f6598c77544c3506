/// The cause of an error of an encrypted store that needs a key, if no key was given.
///
/// Tools recognise it to name their own ways to pass a key.
package struct MissingCredentials: Error {
  /// Creates the cause.
  package init() {}
}

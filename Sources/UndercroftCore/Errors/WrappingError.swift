/// An error that may have another error as its cause.
package protocol WrappingError: Error {
  /// The cause, or `nil` if there is none.
  var wrappedError: (any Error)? { get }
}

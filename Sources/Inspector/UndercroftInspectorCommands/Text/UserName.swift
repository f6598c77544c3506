import Foundation

/// The names of users.
enum UserName {
  /// The size in bytes of the buffer for the entry of a user.
  private static let bufferSize = 1 << 14

  /// Returns the name and the number of a user, such as "root (0)", or only the number if the user
  /// has no name.
  static func text(of user: uid_t) -> String {
    name(of: user).map { "\($0) (\(user))" } ?? "\(user)"
  }

  /// Returns the name of a user, or `nil` if the system knows none. (`getpwuid_r`)
  private static func name(of user: uid_t) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: bufferSize)
    return buffer.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress,
        getpwuid_r(user, &entry, start, buffer.count, &found) == 0, found != nil,
        let name = entry.pw_name
      else { return nil }
      return String(cString: name)
    }
  }
}

import Foundation
import TestSupport

/// The user as whom the tool runs in tests of permissions.
///
/// The superuser may read every file, so the tool runs as another user.
enum OtherUser {
  /// The number of the user.
  static let number = geteuid() == 0 ? 65_534 : geteuid()

  /// The words of a shell script that run the program `$0` as the user.
  static let program =
    geteuid() == 0 ? #"setpriv --reuid 65534 --clear-groups "$0""# : #""$0""#

  /// Whether the program can run as the user.
  static let isAvailable: Bool =
    (try? Program.inspector.runInShell("\(program) --help", ""))?.status == 0
}

import Foundation
import ShelfCatalogue

extension FuzzTarget {
  /// The target for Debian package databases.
  static let packageStatus = FuzzTarget("package-status") {
    [
      Data(
        """
        Package: bash
        Version: 5.2.15-2+b7
        Architecture: amd64
        Installed-Size: 7164
        Depends: base-files (>= 2.1.12), debianutils (>= 5.6-0.1) | awk <!nocheck> [amd64]
         , libc6:any
        Description: GNU Bourne Again SHell
         Bash is an sh-compatible command language interpreter.

        Package: awk

        """.utf8)
    ]
  } run: { input in
    let place = try Workplace()
    try place.write(input, to: "status")
    do {
      var reader = try ControlReader(place.file("status").path)
      while let package = try reader.next() {
        for dependency in package.dependencies where dependency.alternatives.isEmpty {
          throw FuzzFailure("a dependency has no alternative")
        }
      }
    } catch is InputError {}
  }
}

import Foundation
import TestSupport

/// The home directory of a lending library with one database for each of its branches.
struct BranchHome {
  let url: URL
  /// The kinds of the databases: "branch1", "branch2" and so on.
  let branches: [String]

  /// - Parameter sql: returns the statements that fill the database of a branch.
  init(at url: URL, branchCount: Int, _ sql: (_ branch: String) -> String) throws {
    self.url = url
    branches = (1...branchCount).map { "branch\($0)" }
    for branch in branches { try SQLiteShell.run(sql(branch), on: url.appending(path: branch)) }
    let routes = branches.map { branch in
      #"{"backend":"sqlite","codec":"json","isConfidential":false,"kind":"\#(branch)","#
        + #""path":"\#(branch)","prefix":""}"#
    }
    let manifest =
      #"{"application":"library","routes":[\#(routes.joined(separator: ","))],"version":1}"#
    try Data(manifest.utf8).write(to: url.appending(path: "undercroft.json"))
  }
}

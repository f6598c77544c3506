import Foundation
import TestSupport
import Testing

/// The targets `install` and `uninstall` of the Makefile.
@Suite struct InstallationTests {
  @Test func `make uninstall removes the tool, pages and completions of make install`()
    throws
  {
    try withTemporaryDirectory { directory in
      let root = directory.appending(path: "a package")
      let installed = try make("install", root)
      try #require(installed.status == 0, "\(installed.errors)")

      let files = try self.files(in: root)
      for path in [
        "bin/undercroft", "share/man/man1/undercroft.1", "share/man/man1/undercroft-ls.1",
        "share/bash-completion/completions/undercroft", "share/zsh/site-functions/_undercroft",
        "share/fish/vendor_completions.d/undercroft.fish",
      ] {
        #expect(files.contains("usr/" + path))
      }
      let tool = Program(at: root.path + "/usr/bin/undercroft")
      #expect(try tool.run(["--help"]).status == 0)
      let zsh = root.path + "/usr/share/zsh/site-functions/_undercroft"
      #expect(try String(contentsOfFile: zsh, encoding: .utf8).hasPrefix("#compdef undercroft"))

      #expect(try make("uninstall", root).status == 0)
      #expect(try self.files(in: root).isEmpty)
    }
  }

  /// Runs a target with the tool that the tests have built instead of a release build.
  private func make(_ target: String, _ root: URL) throws -> ProgramResult {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try Program(at: "/usr/bin/env").run([
      "make", "-C", repository.path, target, "SWIFT=true", "PACKAGES=", "BUILD_PACKAGES=",
      "TOOL=\(try Program.inspector.path)", "DESTDIR=\(root.path)", "PREFIX=/usr",
    ])
  }

  private func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.path + "/" + path, isDirectory: &isFolder)
      return !isFolder.boolValue
    }
  }
}

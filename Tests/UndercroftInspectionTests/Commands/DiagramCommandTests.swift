import Foundation
import TestSupport
import Testing
import Undercroft

@Suite struct DiagramCommandTests {
  @Test(arguments: [([], "Mermaid"), (["--dot"], "Graphviz"), (["--mermaid"], "Mermaid")])
  func `a file with the name of an SVG document needs the option --svg`(
    options: [String], format: String
  ) throws {
    try withSampleDatabase("CREATE TABLE book(title TEXT);") { url in
      let file = url.deletingLastPathComponent().appending(path: "library.SVG").path

      let answer = try run(["er", url.path, "--output", file] + options)

      #expect(answer.status == 64)
      #expect(answer.errors.contains("--svg"))
      #expect(answer.errors.contains(format))
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test func `a diagram is written as SVG to a file with any name`() throws {
    try withSampleDatabase("CREATE TABLE book(title TEXT);") { url in
      let folder = url.deletingLastPathComponent()
      for name in ["library.svg", "library.mmd"] {
        let file = folder.appending(path: name)

        let answer = try run("er", url.path, "--svg", "--output", file.path)

        #expect(answer.status == 0, "\(answer.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("<svg"))
      }
    }
  }
}

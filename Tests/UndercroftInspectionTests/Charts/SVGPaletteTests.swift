import Testing
import UndercroftInspection

@Suite struct SVGPaletteTests {
  @Test(arguments: [SVGPalette.light, .dark])
  func `texts have the contrast that accessibility guidelines demand`(palette: SVGPalette) {
    let backgrounds = [palette.page, palette.box]

    for background in backgrounds + palette.fills + [palette.boxHeader] {
      #expect(contrast(palette.text, background) >= 4.5, "\(background)")
    }
    for background in backgrounds { #expect(contrast(palette.muted, background) >= 4.5) }
  }

  @Test(arguments: [SVGPalette.light, .dark])
  func `bars and lines are visible on the page`(palette: SVGPalette) {
    for color in [palette.bar, palette.link, palette.inferredLink] {
      #expect(contrast(color, palette.page) >= 3, "\(color)")
    }
    #expect(palette.fills.count == SVGPalette.fillCount)
  }

  /// Returns the contrast ratio of two colours, with a gamma of 2 instead of the exact curve.
  private func contrast(_ first: String, _ second: String) -> Double {
    let luminances = [first, second].map(luminance).sorted()
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)
  }

  private func luminance(_ color: String) -> Double {
    let value = UInt32(color, radix: 16) ?? 0
    let weights = [(16, 0.2126), (8, 0.7152), (0, 0.0722)]
    return weights.reduce(0.0) { sum, weight in
      let channel = Double(value >> UInt32(weight.0) & 0xff) / 255
      return sum + weight.1 * channel * channel
    }
  }
}

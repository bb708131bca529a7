'use client';

import { useEffect } from 'react';
import { checkPage } from '../program/page.js';

export default function Page() {
  useEffect(checkPage, []);
  return <p>Ecosystem</p>;
}
